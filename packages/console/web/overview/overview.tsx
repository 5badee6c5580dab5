import type { ReactNode } from 'react'
import { useReceipt } from '../api/use-answers.ts'
import { Answered } from '../ui/answered.tsx'
import { Page } from '../ui/page.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { HealthPanel } from './health-panel.tsx'
import { ReceiptHero } from './receipt-hero.tsx'
import { RecentErrors } from './recent-errors.tsx'
import { SavedChart } from './saved-chart.tsx'
import './overview.css'

export function Overview(): ReactNode {
  const receipt = useReceipt()
  return (
    <Page title="Overview">
      <section className="hero" aria-label="Receipt">
        <Answered query={receipt} lines={4}>
          {(answer) => <ReceiptHero receipt={answer} />}
        </Answered>
      </section>
      <div className="overview-grid">
        <div>
          <SavedChart />
          <HealthPanel />
        </div>
        <div>
          <AttentionPanel />
          <RecentErrors />
        </div>
      </div>
    </Page>
  )
}
