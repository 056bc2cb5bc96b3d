import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconDots } from '../../icons/icons.ts'

interface RowMenuProps {
  /** The name of the row's object. */
  of: string
  /** In pixels. */
  width?: number
  /** The menu's items. */
  children: ReactNode
}

/** The menu of actions for a table row. */
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
