const NAMES = ["visit", "harvest", "cider", "school", "history", "contact"];

export const dynamicParams = false;
export const generateStaticParams = () => NAMES.map((name) => ({ name }));

export default async function Farm({ params }) {
  const { name } = await params;
  return (
    <main>
      <h1>{name}</h1>
      <p>Everything about {name} at the orchard, with opening times and prices for groups.</p>
    </main>
  );
}
