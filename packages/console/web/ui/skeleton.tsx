import type { ReactNode } from 'react'
import './skeleton.css'

/** A placeholder of about the same height while loading. */
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
