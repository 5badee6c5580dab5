import './logo.css'

/** The cross-section of a stem, with the pith in its centre. */
export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          stroke="currentColor"
          strokeOpacity=".35"
          strokeWidth="2"
        />
        <circle cx="10" cy="10" r="3.6" fill="currentColor" />
      </svg>
      pith
    </span>
  )
}
