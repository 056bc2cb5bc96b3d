import { Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '../../icons/icons.ts'
import { changeOf, type Better, type Change } from './change.ts'

interface BeforeProps {
  now: number | null
  /** The value of the same number of days before; null: there was none. */
  before: number | null | undefined
  better: Better
  format: (value: number) => string
  /** Smaller differences are shown as no change. */
  least?: number | undefined
  /** In a table cell, where the words would repeat. */
  isShort?: boolean
}

const colors = { better: 'var(--mantine-color-success)', worse: 'var(--mantine-color-error)' }

/**
 * The previous value of a figure, and whether the change is for the better: also in words, not only in
 * color.
 */
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
