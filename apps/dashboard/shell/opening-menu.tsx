import { Menu, UnstyledButton, type MenuProps } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'

interface OpeningMenuProps {
  className: string | undefined
  position: NonNullable<MenuProps['position']>
  /** The content of the button. */
  button: ReactNode
  children: ReactNode
}

/** A menu that opens as soon as its code is loaded. */
export function OpeningMenu({ className, position, button, children }: OpeningMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Closing the menu returns the focus to the element that had it: the button.
    target.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Menu position={position} width={216} withinPortal={false} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <UnstyledButton ref={target} className={className}>
          {button}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
