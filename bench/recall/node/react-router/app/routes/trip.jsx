import { Link, useLoaderData } from "react-router";
import { one } from "../catalogue";

export const loader = ({ params }) => one("trips", params.id);

export default function Trip() {
  const trip = useLoaderData();
  return (
    <main>
      <h1>{trip.title}</h1>
      <p>{trip.text}</p>
      <Link to="/contact">Ask about this trip</Link>
    </main>
  );
}
