import { useState } from "react";
import { Link, useLoaderData } from "react-router";
import { catalogue } from "../catalogue";

export const loader = () => ({ trips: catalogue().trips.map(({ id, title }) => ({ id, title })) });

export default function Trips() {
  const { trips } = useLoaderData();
  const [shown, setShown] = useState(10);
  return (
    <main>
      <h1>Trips</h1>
      <ul>
        {trips.slice(0, shown).map((one) => (
          <li key={one.id}><Link to={`/trips/${one.id}`}>{one.title}</Link></li>
        ))}
      </ul>
      {shown < trips.length && <button onClick={() => setShown(shown + 10)}>Show more</button>}
    </main>
  );
}
