import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './state-badge.module.css'

/** A state in a word or two, all of which are shown; its color says it again. */
export function StateBadge({ color, children }: { color: string; children: ReactNode }) {
  return (
    <Badge
      variant="dot"
      color={color}
      tt="none"
      fw={500}
      radius="sm"
      classNames={{ root: classes.root, label: classes.label }}
    >
      {children}
    </Badge>
  )
}
