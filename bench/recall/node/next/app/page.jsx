import Doors from "./doors";

export default function Home() {
  return (
    <main>
      <h1>Orchard</h1>
      <p>Apples, pears and quinces grown on a hillside, sold from the first week of September until the store is empty.</p>
      <Doors />
    </main>
  );
}
