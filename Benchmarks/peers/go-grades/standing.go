package main

import (
	"math/big"
)

type figure struct {
	Exact        *string `json:"exact"`
	Display      string  `json:"display"`
	Band         string  `json:"band"`
	Floor        string  `json:"floor"`
	FloorExact   string  `json:"floorExact"`
	Ceiling      string  `json:"ceiling"`
	CeilingExact string  `json:"ceilingExact"`
}

type entryFigures struct {
	Figures map[string]figure `json:"figures"`
}

type reason struct {
	Code    string `json:"code"`
	Entry   string `json:"entry,omitempty"`
	Message string `json:"message"`
}

type outcome struct {
	State   string   `json:"state"`
	Final   bool     `json:"final"`
	Reasons []reason `json:"reasons"`
}

type standing struct {
	Record   string                  `json:"record"`
	Scheme   string                  `json:"scheme"`
	Program  string                  `json:"program"`
	Version  int                     `json:"programVersion"`
	Figures  map[string]figure       `json:"figures"`
	Entries  map[string]entryFigures `json:"entries"`
	Outcomes map[string]outcome      `json:"outcomes"`
	Warnings []string                `json:"warnings"`
}

// What an ungraded subject counts as.
type assumption int

const (
	skipped assumption = iota
	minimum
	maximum
)

var hundred = big.NewRat(100, 1)
var bar = big.NewRat(10, 1)

// average is exact: hundredths times weights over weights. nil when nothing is graded.
func average(u unit, as assumption) *big.Rat {
	var sum, weights int64
	for _, s := range u.Children {
		switch {
		case s.Grade != nil:
			sum += int64(*s.Grade) * s.Weight
		case as == skipped:
			continue
		case as == maximum:
			sum += 2000 * s.Weight
		}
		weights += s.Weight
	}
	if weights == 0 {
		return nil
	}
	return big.NewRat(sum, weights*100)
}

func mean(units []unit, averages []*big.Rat, keeps func(unit) bool) *big.Rat {
	sum, weights := new(big.Rat), int64(0)
	for i, u := range units {
		if averages[i] == nil || !keeps(u) {
			continue
		}
		sum.Add(sum, new(big.Rat).Mul(averages[i], new(big.Rat).SetInt64(u.Weight)))
		weights += u.Weight
	}
	if weights == 0 {
		return nil
	}
	return sum.Quo(sum, new(big.Rat).SetInt64(weights))
}

// display rounds half up to two decimals; nothing here is negative.
func display(value *big.Rat) string {
	if value == nil {
		return ""
	}
	return value.FloatString(2)
}

func present(values [3]*big.Rat) figure {
	f := figure{
		Display: display(values[skipped]), Band: "none", Floor: display(values[minimum]),
		Ceiling: display(values[maximum]), FloorExact: exact(values[minimum]), CeilingExact: exact(values[maximum]),
	}
	if values[skipped] != nil {
		text := exact(values[skipped])
		f.Exact = &text
		f.Band = "red"
		if reaches(values[skipped]) {
			f.Band = "green"
		}
	}
	return f
}

func exact(value *big.Rat) string {
	if value == nil {
		return ""
	}
	return value.RatString()
}

// The bar is judged on what is shown.
func reaches(value *big.Rat) bool {
	shown, _ := new(big.Rat).SetString(display(value))
	return shown.Cmp(bar) >= 0
}

func diploma(units []unit, averages []*big.Rat, total, professional *big.Rat) outcome {
	o := outcome{State: "met", Reasons: []reason{}}
	for i, u := range units {
		if u.Professional && averages[i] == nil {
			o.State = "pending"
			o.Reasons = append(o.Reasons, reason{"unit_ungraded", u.ID, "A unit has no grade"})
		}
	}
	if total == nil || professional == nil {
		o.State = "pending"
	}
	if o.State == "pending" {
		return o
	}
	if !reaches(total) {
		o.State = "unmet"
		o.Reasons = append(o.Reasons, reason{"total_below_bar", "", "The overall average is below the bar"})
	}
	if !reaches(professional) {
		o.State = "unmet"
		o.Reasons = append(o.Reasons, reason{"professional_below_bar", "", "The professional average is below the bar"})
	}
	return o
}

func judge(record string, units []unit) standing {
	everything := func(unit) bool { return true }
	isProfessional := func(u unit) bool { return u.Professional }
	var averages [3][]*big.Rat
	var totals, professionals [3]*big.Rat
	var states [3]outcome
	for _, as := range []assumption{skipped, minimum, maximum} {
		for _, u := range units {
			averages[as] = append(averages[as], average(u, as))
		}
		totals[as] = mean(units, averages[as], everything)
		professionals[as] = mean(units, averages[as], isProfessional)
		states[as] = diploma(units, averages[as], totals[as], professionals[as])
	}
	entries := make(map[string]entryFigures, len(units))
	for i, u := range units {
		values := [3]*big.Rat{averages[skipped][i], averages[minimum][i], averages[maximum][i]}
		entries[u.ID] = entryFigures{map[string]figure{"average": present(values)}}
	}
	decided := states[skipped]
	decided.Final = states[minimum].State == states[maximum].State && states[minimum].State == decided.State
	return standing{
		Record: record, Scheme: "iut", Program: program, Version: 1, Entries: entries,
		Figures:  map[string]figure{"total": present(totals), "professional": present(professionals)},
		Outcomes: map[string]outcome{"diploma": decided}, Warnings: []string{},
	}
}
