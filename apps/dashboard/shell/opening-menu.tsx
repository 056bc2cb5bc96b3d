import { Menu, UnstyledButton, type MenuProps } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'

interface OpeningMenuProps {
  className: string | undefined
  position: NonNullable<MenuProps['position']>
  /** What the button shows. */
  button: ReactNode
  children: ReactNode
}

/** A menu that opens as it comes. */
export function OpeningMenu({ className, position, button, children }: OpeningMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where the focus goes back to.
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
