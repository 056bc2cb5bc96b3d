import { ActionIcon, Code, Group, Table } from '@mantine/core'
import { Fragment } from 'react'
import { IconX } from '../../icons/icons.ts'
import { PageLink } from '../../components/page-link.tsx'
import { ScrollTable } from '../../components/tables/scroll-table.tsx'
import { compareGroups, type Compared } from './compare-rows.tsx'
import classes from './compare-table.module.css'

const nameWidth = 120
const modelWidth = 150

interface CompareTableProps {
  all: readonly Compared[]
  onRemove: (id: string) => void
}

/** One column per model, one row per property. */
export function CompareTable({ all, onRemove }: CompareTableProps) {
  return (
    <ScrollTable
      label="Comparison"
      minWidth={nameWidth + all.length * modelWidth}
      verticalSpacing="xs"
      hasFixedName
      className={classes.table}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.names}>Model</Table.Th>
          {all.map(({ model: { id, name } }) => (
            <Table.Th key={id} className={classes.model}>
              <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between">
                <PageLink to="/models/$" params={{ _splat: id }} fw={600} className={classes.name}>
                  {name}
                </PageLink>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Remove ${id}`}
                  onClick={() => onRemove(id)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Group>
              <Code fz={11}>{id}</Code>
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {compareGroups(all).map(
          ({ title, rows }) =>
            rows.length > 0 && (
              <Fragment key={title}>
                <Table.Tr className={classes.group}>
                  <Table.Th scope="rowgroup" colSpan={all.length + 1}>
                    {title}
                  </Table.Th>
                </Table.Tr>
                {rows.map(({ label, cells }) => (
                  <Table.Tr key={label}>
                    <Table.Th scope="row" fw={400}>
                      {label}
                    </Table.Th>
                    {cells.map((cell, index) => (
                      <Table.Td key={all[index]!.model.id}>{cell}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Fragment>
            ),
        )}
      </Table.Tbody>
    </ScrollTable>
  )
}
