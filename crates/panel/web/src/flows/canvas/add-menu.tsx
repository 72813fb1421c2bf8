import { Menu, Portal } from '@mantine/core';
import { Fragment, useState } from 'react';
import { texts } from '../../i18n/texts';
import type { NodeType } from '../definition';
import type { Place } from '../graph/edit';
import { GROUPS } from '../palette/groups';
import { NodeItem } from '../palette/node-item';

const t = texts('flow-editor');

/** The place for a new step, and the point of the window where the menu opens. */
export interface Offer {
  place: Place;
  x: number;
  y: number;
}

interface Props {
  offer: Offer;
  onPick: (type: NodeType, place: Place) => void;
  onClose: () => void;
}

/** A menu of the steps that can be added at a place. */
export function AddMenu({ offer, onPick, onClose }: Props) {
  const [hasPicked, setPicked] = useState(false);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={4}
      returnFocus={!hasPicked}
      closeOnItemClick={false}
    >
      <Portal>
        <Menu.Target>
          <span style={{ position: 'fixed', left: offer.x, top: offer.y, width: 1, height: 1 }} />
        </Menu.Target>
      </Portal>
      <Menu.Dropdown aria-label={t('addStep')} mah={360} style={{ overflowY: 'auto' }}>
        {GROUPS.map(({ name, types }) => (
          <Fragment key={name}>
            <Menu.Label>{t(`groups.${name}`)}</Menu.Label>
            {types.map((type) => (
              <NodeItem
                key={type}
                type={type}
                onPick={() => {
                  setPicked(true);
                  onClose();
                  onPick(type, offer.place);
                }}
              />
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
