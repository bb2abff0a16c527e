export default function About() {
  return (
    <main>
      <h1>About the orchard</h1>
      <p>The orchard was planted in 1931 and has been in the same family since then.</p>
    </main>
  );
}
