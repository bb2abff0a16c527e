export default function Timetable() {
  return <main><h1>Timetable</h1><p>Ferries leave every two hours between six and eighteen.</p></main>;
}
