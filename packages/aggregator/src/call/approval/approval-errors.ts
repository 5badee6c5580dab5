import { AggregatorError, refusedBy } from '#servers/protocol/aggregator-error'
import type { Decision } from '../../catalog/policy/permissions.ts'
import type { Question } from './approvals.ts'

const because = ({ setting, reason }: Pick<Decision, 'setting' | 'reason'>): string =>
  reason === undefined ? setting : `${setting}: ${reason.replace(/\.$/, '')}`

export const callDenied = (name: string, decision: Decision): AggregatorError =>
  refusedBy(
    decision.setting,
    'call_denied',
    `${name} with these arguments is denied by ${because(decision)}. Nothing was called.`,
    'An operator can change the permissions in the configuration.',
  )

export const needsApproval = (
  name: string,
  { id, endsAt = 0, setting, reason }: Question & { id: string; endsAt?: number | undefined },
  remedy: string,
): AggregatorError =>
  refusedBy(
    setting,
    'needs_approval',
    `${name} waits for approval ${id}, because of ${because({ setting, reason })}. Nothing was called.`,
    `${remedy} Make the same call with the same arguments after that, until ${new Date(endsAt).toISOString().slice(0, 16)}Z.`,
  )

export const wasRefused = (
  name: string,
  id: string | undefined,
  by = 'a person',
): AggregatorError =>
  new AggregatorError(
    'approval_refused',
    `${name} was refused by ${by}${id === undefined ? '' : ` (${id})`}. Nothing was called.`,
    'Do not repeat the call. Ask the user what to do instead.',
  )

export const approvalUsed = (name: string, id: string): AggregatorError =>
  new AggregatorError(
    'needs_approval',
    `The approval ${id} of ${name} was used by another call, revoked, or has ended. Nothing was called.`,
    'Call again to ask for another one.',
  )

export const hasChanged = (name: string): AggregatorError =>
  new AggregatorError(
    'needs_approval',
    `${name}, its server or the permissions have changed since the call was decided. Nothing was called.`,
    'Call again, to have it decided again; get_module_schema has the schema of a tool.',
  )
