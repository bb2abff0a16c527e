// The lazy view; the yearly report is two steps from the start page.
import { useNavigate } from "react-router-dom";

export default function Reports() {
  const navigate = useNavigate();
  return (
    <main>
      <h1>Reports</h1>
      <div id="yearly-card" style={{ cursor: "pointer" }} onClick={() => navigate("/reports/yearly")}>
        The year in figures
      </div>
    </main>
  );
}
