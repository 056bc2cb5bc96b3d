import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './figure.module.css'

interface FigureProps {
  label: string
  /** Undefined: not here yet. */
  value: ReactNode
  note?: ReactNode
  /** How many lines the note has. */
  noteLines?: number
  /** It cannot be read now. */
  isFailed?: boolean
}

/** One number and what it is. As high while it is loaded as it will be. */
export function Figure({ label, value, note, noteLines = 1, isFailed = false }: FigureProps) {
  const isMissing = value === undefined && isFailed
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Text component="div" fz={{ base: 16, sm: 26 }} lh="36px" fw={650} mt={4} className={classes.value}>
        {isMissing ? '–' : (value ?? <Skeleton height={24} my={6} width="60%" />)}
      </Text>
      <Text component="div" size="sm" c="dimmed" lh="20px" mih={20 * noteLines} mt={2}>
        {isMissing && 'not available'}
        {value === undefined && !isFailed && <Skeleton height={12} my={4} width="80%" />}
        {value !== undefined && note}
      </Text>
    </Paper>
  )
}
