import type { Approval, ApprovalStore } from '@pith-mcp/aggregator'
import type { Documents } from '../documents.ts'

const kind = 'approval'

/** In documents that replicas share. */
export const createSharedApprovalStore = (documents: Documents): ApprovalStore => ({
  all: async () => [...documents.all<Approval>(kind).values()],
  change: (key, edit) => documents.change<Approval>(kind, key, edit),
  version: () => documents.version(kind),
})
