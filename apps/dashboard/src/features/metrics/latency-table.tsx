import type { Durations, LatencyMetrics } from '@countersign/contracts';
import { Count } from '../../kit/count';
import { duration } from '../../kit/times';

const ROWS: readonly (readonly [keyof LatencyMetrics, string])[] = [
  ['queueWait', 'Wait for a worker'],
  ['model', 'Reply of a model'],
  ['tool', 'Tool call'],
  ['approvalWait', 'Decision of a person'],
];

/** Percentiles of what was over in this time. */
export function LatencyTable(latency: LatencyMetrics) {
  return (
    <table aria-label="How long things took" className="w-full text-left">
      <thead>
        <tr className="text-11 text-faint">
          <th scope="col" className="pb-1 font-normal">
            What
          </th>
          {['p50', 'p95', 'p99', 'Count'].map((name) => (
            <th
              key={name}
              scope="col"
              className="whitespace-nowrap pb-1 pl-4 text-right font-normal max-md:pl-3"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([name, label]) => (
          <LatencyRow key={name} label={label} {...(latency[name] as Durations)} />
        ))}
      </tbody>
    </table>
  );
}

function LatencyRow({ label, count, p50Ms, p95Ms, p99Ms }: Durations & { label: string }) {
  return (
    <tr className="border-line-soft border-t">
      <th scope="row" className="py-1.5 font-normal">
        {label}
      </th>
      {[p50Ms, p95Ms, p99Ms].map((ms, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
        <td key={index} className="spans whitespace-nowrap py-1.5 pl-4 text-right max-md:pl-3">
          {ms === null ? <span className="text-faint">none</span> : duration(ms)}
        </td>
      ))}
      <td className="py-1.5 pl-4 text-right text-muted max-md:pl-3">
        <Count value={count} />
      </td>
    </tr>
  );
}
