import { Fragment, type ReactNode } from 'react'
import './facts.css'

/** Names and values. Those without a value are omitted. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {of.map(([name, value]) =>
        value ? (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  )
}
