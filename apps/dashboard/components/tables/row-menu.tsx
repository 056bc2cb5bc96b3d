import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconDots } from '../../icons/icons.ts'

interface RowMenuProps {
  /** The name of what the row is about. */
  of: string
  /** In pixels. */
  width?: number
  /** The menu's items. */
  children: ReactNode
}

/** What can be done with a row of a table. */
export function RowMenu({ of, width = 220, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${of}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
