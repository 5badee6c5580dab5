import './histogram.css'

/** Counts as columns, and as a table for assistive technology. */
export function Histogram({ title, counts }: { title: string; counts: [string, number][] }) {
  const max = Math.max(1, ...counts.map(([, count]) => count))
  return (
    <figure className="histogram" aria-label={title}>
      <div aria-hidden="true">
        {counts.map(([name, count]) => (
          <span key={name}>
            {count > 0 && count}
            <i style={{ height: `${(count / max) * 6}rem` }} />
            {name}
          </span>
        ))}
      </div>
      <table className="for-readers">
        <caption>{title}</caption>
        <tbody>
          {counts.map(([name, count]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
