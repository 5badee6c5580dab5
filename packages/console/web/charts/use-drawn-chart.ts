import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Chart } from './chart.ts'
import { type DrawnChart, drawChart } from './draw-chart.ts'

interface ChartOptions extends Chart {
  /** Nothing is drawn. */
  isHidden: boolean
  /** Called if uPlot cannot be loaded. */
  onFailed: () => void
}

interface ChartElements {
  /** The container of the chart. */
  stage: RefObject<HTMLDivElement | null>
  /** Its swatches have the colors of the series. */
  legend: RefObject<HTMLUListElement | null>
  /** Index of the time under the pointer. */
  hovered: number | undefined
}

/** Draws a chart into the stage, and again when the theme changes. */
export function useDrawnChart(options: ChartOptions): ChartElements {
  const { times, series, kind, format, isHidden, onFailed } = options
  const stage = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const drawn = useRef<DrawnChart>(undefined)
  const [hovered, setHovered] = useState<number>()
  const names = series.map(({ name }) => name).join('\n')
  const data = useMemo(
    () => ({
      times: times.map((time) => Date.parse(time) / 1_000),
      series: series.map((one) => one.values),
    }),
    [times, series],
  )

  useEffect(() => {
    const place = stage.current
    if (!place || isHidden) return
    let isCancelled = false
    const draw = async () => {
      const colors = colorsOf(legend.current)
      const next = await drawChart({ place, colors, kind, format, onHover: setHovered })
      if (isCancelled) return next.remove()
      drawn.current?.remove()
      drawn.current = next
      next.show(data)
    }
    const redraw = () => void draw().catch(onFailed)
    redraw()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    addEventListener('themechange', redraw)
    scheme.addEventListener('change', redraw)
    return () => {
      isCancelled = true
      drawn.current?.remove()
      drawn.current = undefined
      removeEventListener('themechange', redraw)
      scheme.removeEventListener('change', redraw)
    }
  }, [names, kind, format, isHidden])

  useEffect(() => drawn.current?.show(data), [data])

  return { stage, legend, hovered }
}

const colorsOf = (legend: HTMLElement | null) =>
  [...(legend?.querySelectorAll('.chart-swatch') ?? [])].map(
    (swatch) => getComputedStyle(swatch).backgroundColor,
  )
