import { installClaudeCode } from './claude-code.ts'

installClaudeCode()
