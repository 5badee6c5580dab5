import { type RefObject, useEffect, useState } from 'react'

interface RowsInSight {
  from: number
  to: number
  /** Heights of what is left out, in pixels. */
  above: number
  below: number
}

/** Which rows of equal height a scrolling element shows; with some to spare on either side. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  spare = 12,
): RowsInSight {
  const [sight, setSight] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      // Rounded, so that most of scrolling changes nothing.
      const top = Math.floor(element.scrollTop / rowHeight / 4) * rowHeight * 4
      const height = element.clientHeight
      setSight((before) =>
        before.top === top && before.height === height ? before : { top, height },
      )
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, rowHeight])
  const from = Math.max(0, Math.min(Math.floor(sight.top / rowHeight), count) - spare)
  const to = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + 4 + spare)
  return { from, to, above: from * rowHeight, below: (count - to) * rowHeight }
}
