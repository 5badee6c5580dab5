export { problemText } from '../describe-issue.ts'
export { amount, count } from './amount.ts'
export { argumentProblems } from './argument-problems.ts'
export { CallError } from './call-error.ts'
export { type CallArguments, callText } from './call-text.ts'
export { cutReply } from './cut-reply.ts'
export { type ErrorTexts, errorText } from './error-text.ts'
export { metaKey, registerTools, type ToolOptions, toolCall } from './register-tools.ts'
export {
  type DefineTool,
  defineTool,
  type Reply,
  type Tool,
  type ToolCall,
  type ToolDefinition,
} from './tool.ts'
export { type ToolSchema, toolSchema } from './tool-schema.ts'
