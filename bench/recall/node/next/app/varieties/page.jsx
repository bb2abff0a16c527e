import Varieties from "./varieties";

export default function Page() {
  return (
    <main>
      <h1>Varieties</h1>
      <Varieties />
    </main>
  );
}
