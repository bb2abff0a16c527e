import { readFileSync } from "node:fs";

const ITEMS = JSON.parse(readFileSync("public/data/varieties.json", "utf8"));

export const dynamicParams = false;
export const generateStaticParams = () => ITEMS.map((item) => ({ id: item.id }));

export default async function Variety({ params }) {
  const { id } = await params;
  const item = ITEMS.find((one) => one.id === id);
  return (
    <main>
      <h1>{item.title}</h1>
      <p>{item.text}</p>
    </main>
  );
}
