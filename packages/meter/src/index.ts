export type { RecordedResult, ToolCost } from './context.ts'
export {
  type FindRecord,
  Ledger,
  type Parts,
  type SessionCost,
} from './ledger.ts'
export {
  type ReadOptions,
  type RecordingClient,
  readTranscripts,
  recordingClients,
  type Transcripts,
} from './read-transcripts.ts'
export type { Tool, TranscriptEvent, TranscriptReader } from './transcript.ts'
