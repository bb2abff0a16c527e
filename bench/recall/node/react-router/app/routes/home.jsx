import { useNavigate } from "react-router";

export default function Home() {
  const navigate = useNavigate();
  return (
    <main>
      <h1>Island Ferries</h1>
      <p>Ferries between the islands, every day of the year.</p>
      <button onClick={() => navigate("/guides")}>Read our guides</button>
      <button onClick={() => navigate("/timetable")}>Timetable</button>
    </main>
  );
}
