import { useLoaderData } from "react-router";
import { one } from "../catalogue";

export const loader = ({ params }) => one("ports", params.id);

export default function Port() {
  const port = useLoaderData();
  return (
    <main>
      <h1>{port.title}</h1>
      <p>{port.text}</p>
    </main>
  );
}
