/** Limits of the plans. Loaded on demand, as a chunk of its own. */
export default function Limits() {
  return <p>Free: three envelopes a month. Professional: no limit.</p>;
}
