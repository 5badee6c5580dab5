export { answerOperations, basePath } from './api/answer-operation.ts'
export { openApi } from './api/openapi.ts'
export { openConsole } from './open-console.ts'
export { createConsoleCode, linkTo } from './session/console-codes.ts'
