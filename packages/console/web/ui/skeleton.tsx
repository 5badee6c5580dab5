import type { ReactNode } from 'react'
import './skeleton.css'

/** Stands in for what is not there yet, at about its height. */
export function Skeleton({ lines }: { lines: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="for-readers">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  )
}
