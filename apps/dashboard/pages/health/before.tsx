import { Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '../../icons/icons.ts'
import { changeOf, type Better, type Change } from './change.ts'

interface BeforeProps {
  now: number | null
  /** Of as many days before; null: there was none. */
  before: number | null | undefined
  better: Better
  format: (value: number) => string
  /** How far apart they must be to say something. */
  least?: number | undefined
  /** Below a figure of a table, where the words would be repeated in each cell. */
  isShort?: boolean
}

const colors = { better: 'var(--mantine-color-success)', worse: 'var(--mantine-color-error)' }

/** What a figure was before, and whether that changed for the better: in words, not in color alone. */
export function Before({ now, before, better, format, least, isShort = false }: BeforeProps) {
  const size = isShort ? 'xs' : 'sm'
  if (before === null || before === undefined) {
    if (isShort || now === null) return null
    return <Text component="span" size={size} c="dimmed" children="no data before" />
  }
  const { direction, meaning } = now === null ? same : changeOf(now, before, better, least)
  const Arrow = direction === 'up' ? IconArrowUp : IconArrowDown
  return (
    <Text component="span" size={size} c="dimmed" className="figures one-line">
      {meaning !== undefined && (
        <Text component="span" size={size} c={colors[meaning]}>
          <Arrow size={12} aria-hidden />{' '}
          {isShort ? <VisuallyHidden>{meaning}, </VisuallyHidden> : `${meaning}, `}
        </Text>
      )}
      {format(before)}
      {isShort ? <VisuallyHidden> before</VisuallyHidden> : ' before'}
    </Text>
  )
}

const same: Change = { direction: 'same' }
