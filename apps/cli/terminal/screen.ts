import type { Environment } from '../settings.ts'
import { styleFor, type Style } from './style.ts'

/** The format of a stream's output. */
export interface Screen {
  isTerminal: boolean
  /** Columns. */
  width: number
  style: Style
  nowMs: number
}

const defaultWidth = 80

interface Target {
  isTTY?: boolean
  columns?: number
}

/** The screen behind a stream. `TURNPIKE_FORCE_TTY` makes a pipe one with that many columns. */
export function screenOf(target: Target, environment: Environment, nowMs: number): Screen {
  const forced = Number(environment.TURNPIKE_FORCE_TTY) || undefined
  const isTerminal = forced !== undefined || target.isTTY === true
  const width = forced ?? (target.columns || Number(environment.COLUMNS) || defaultWidth)
  return { isTerminal, width, style: styleFor(isTerminal, environment), nowMs }
}
