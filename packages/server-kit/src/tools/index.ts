export { problemText, requirement } from '../describe-issue.ts'
export { type CommandForm, withCommands } from './command-text.ts'
export { absent, numberWithin, toNumber } from './lenient.ts'
export { metaKey, registerTools, type ToolOptions, toolCall } from './register-tools.ts'
export {
  amount,
  type CallArguments,
  CallError,
  callText,
  count,
  cutReply,
  errorText,
} from './reply-text.ts'
export {
  argumentProblems,
  type DefineTool,
  defineTool,
  type Reply,
  type Tool,
  type ToolCall,
  type ToolSet,
} from './tool.ts'
