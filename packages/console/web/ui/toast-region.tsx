import { type ReactNode, useSyncExternalStore } from 'react'
import type { Toasts } from '../api/create-toasts.ts'
import { PlainText } from './plain-text.tsx'
import './toast-region.css'

export function ToastRegion({ toasts }: { toasts: Toasts }): ReactNode {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.view)
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite">
      {shown.map(({ id, text, remedy, isError }) => (
        <div key={id} className={isError ? 'toast is-error' : 'toast'}>
          <div>
            <PlainText>{text}</PlainText>
            {remedy && (
              <p>
                <PlainText>{remedy}</PlainText>
              </p>
            )}
          </div>
          <button type="button" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  )
}
