import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './figure.module.css'

interface FigureProps {
  label: string
  /** Undefined while it loads. */
  value: ReactNode
  note?: ReactNode
  /** The number of lines of the note. */
  noteLines?: number
  /** It could not be loaded. */
  isFailed?: boolean
}

/** One number with its label. It has the same height while it loads. */
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
