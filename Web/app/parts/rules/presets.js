// The presets of a scheme's configuration.

import { has, label, t } from '../../core/text/i18n.js';
import { valueIn } from '../../core/values/own.js';

/** Their identifiers; `default` is left out if another one says the same with a better name. */
export function presetsOf(scheme) {
  const all = Object.entries(scheme.configuration?.presets ?? {});
  const named = all.filter(([name]) => name !== 'default');
  const standard = all.find(([name]) => name === 'default');
  const same = standard && named.some(([, value]) => JSON.stringify(value) === JSON.stringify(standard[1]));
  return (same ? named : all).map(([name]) => name);
}

/** The name of a preset: from its scheme, or else from the page, or else its identifier. */
export function presetName(scheme, name) {
  const labels = valueIn(scheme.configuration?.presetLabels, name);
  if (labels) return label(labels);
  return has(`preset.${name}`) ? t(`preset.${name}`) : name;
}
