import './bar.css'
import './series.css'

/** A decorative bar next to a written number. `share` is from 0 to 1. */
export function Bar({ share, series = 1 }: { share: number; series?: number }) {
  return (
    <span className="bar" aria-hidden="true">
      <span
        className={`series-${series}`}
        style={{ width: `${Math.max(share > 0 ? 0.6 : 0, Math.min(1, share) * 100)}%` }}
      />
    </span>
  )
}
