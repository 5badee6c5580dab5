import { type RefObject, useEffect, useState } from 'react'

interface RowsInSight {
  from: number
  to: number
  /** Heights of the omitted rows, in pixels. */
  above: number
  below: number
}

const spare = 12

/** The rows of equal height that a scrolling element shows, plus `spare` rows on either side. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowsInSight {
  const [sight, setSight] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      // Rounded to 4 rows, so that most scrolling causes no render.
      const top = Math.floor(element.scrollTop / rowHeight / 4) * rowHeight * 4
      const height = element.clientHeight
      setSight((before) =>
        before.top === top && before.height === height ? before : { top, height },
      )
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, rowHeight])
  const from = Math.max(0, Math.min(Math.floor(sight.top / rowHeight), count) - spare)
  const to = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + 4 + spare)
  return { from, to, above: from * rowHeight, below: (count - to) * rowHeight }
}
