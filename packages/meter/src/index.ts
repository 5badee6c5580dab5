export {
  type FindRecord,
  Ledger,
  type Parts,
  type RecordedResult,
  type SessionCost,
  type ToolCost,
} from './ledger.ts'
export {
  type ReadOptions,
  type RecordingClient,
  readTranscripts,
  recordingClients,
  type Transcripts,
} from './read-transcripts.ts'
export type { Tool, TranscriptEvent, TranscriptReader } from './transcript.ts'
