import type { ReactNode } from 'react'
import { useQueryValues } from '../text/use-query-values.ts'
import { Page } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { UsageBreakdown } from './usage-breakdown.tsx'
import { UsageChart } from './usage-chart.tsx'
import { spans, UsageTotals } from './usage-totals.tsx'

export function UsagePage(): ReactNode {
  const [values, set] = useQueryValues(['span', 'measure', 'by', 'table'])
  const [span] = spans.find(([name]) => name === values.span) ?? ['7d' as const]
  return (
    <Page
      title="Usage"
      intro="What calls cost, and what stayed out of the context. Tokens are estimates."
      actions={
        <Segmented
          label="Period"
          value={span}
          options={spans}
          onChange={(chosen) => set({ span: chosen })}
        />
      }
    >
      <UsageTotals span={span} />
      <UsageChart span={span} measure={values.measure} by={values.by} onChange={set} />
      <UsageBreakdown span={span} by={values.table} onChange={(table) => set({ table })} />
    </Page>
  )
}
