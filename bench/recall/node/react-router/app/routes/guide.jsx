import { useLoaderData } from "react-router";
import { one } from "../catalogue";

export const loader = ({ params }) => one("guides", params.id);

export default function Guide() {
  const guide = useLoaderData();
  return (
    <main>
      <h1>{guide.title}</h1>
      <p>{guide.text}</p>
    </main>
  );
}
