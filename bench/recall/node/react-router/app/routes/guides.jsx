import { Link, useLoaderData } from "react-router";
import { catalogue } from "../catalogue";

export const loader = () => ({ guides: catalogue().guides.map(({ id, title }) => ({ id, title })) });

export default function Guides() {
  const { guides } = useLoaderData();
  return (
    <main>
      <h1>Guides</h1>
      {guides.map((one) => <p key={one.id}><Link to={`/guides/${one.id}`}>{one.title}</Link></p>)}
    </main>
  );
}
