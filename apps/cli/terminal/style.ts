import type { Environment } from '../settings.ts'

type Paint = (text: string) => string

/** Only colours that every theme defines itself, so that light and dark terminals both remain readable. */
export interface Style {
  bold: Paint
  dim: Paint
  red: Paint
  green: Paint
  yellow: Paint
  cyan: Paint
}

const codes: Record<keyof Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

function styleWith(paint: (text: string, codes: [number, number]) => string): Style {
  const painterOf =
    (name: keyof Style): Paint =>
    (text) =>
      text === '' ? '' : paint(text, codes[name])
  return {
    bold: painterOf('bold'),
    dim: painterOf('dim'),
    red: painterOf('red'),
    green: painterOf('green'),
    yellow: painterOf('yellow'),
    cyan: painterOf('cyan'),
  }
}

const escape = String.fromCharCode(27)

const coloured = styleWith((text, [on, off]) => `${escape}[${on}m${text}${escape}[${off}m`)
export const plain = styleWith((text) => text)

/** https://no-color.org: there are no colours if NO_COLOR is set to anything but an empty value. */
export function styleFor(isTerminal: boolean, environment: Environment): Style {
  const isWanted = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return isWanted ? coloured : plain
}
