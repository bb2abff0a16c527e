import { useEffect, useState } from "react";
import { useNavigate } from "react-router";

export default function Ports() {
  const [ports, setPorts] = useState([]);
  const navigate = useNavigate();
  useEffect(() => {
    fetch("/data/catalogue.json").then((answer) => answer.json()).then((data) => setPorts(data.ports));
  }, []);
  return (
    <main>
      <h1>Ports</h1>
      <table>
        <tbody>
          {ports.map((one) => (
            <tr key={one.id} onClick={() => navigate(`/ports/${one.id}`)}><td>{one.title}</td></tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
