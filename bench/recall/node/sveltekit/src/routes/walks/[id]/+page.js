import walks from "$lib/walks.json";

export const load = ({ params }) => walks.find((walk) => walk.id === params.id);
