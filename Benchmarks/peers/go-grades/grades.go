package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A grade counts hundredths of a point, so that sums are exact.
type grade int64

func (g grade) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(g)/100, 'f', -1, 64), nil
}

func (g *grade) UnmarshalJSON(text []byte) error {
	value, err := parseGrade(string(text))
	*g = value
	return err
}

func parseGrade(text string) (grade, error) {
	whole, part, _ := strings.Cut(text, ".")
	if len(part) > 2 {
		return 0, errors.New("too_precise")
	}
	value, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil {
		return 0, errors.New("not_a_number")
	}
	if value < 0 || value > 2000 {
		return 0, errors.New("grade_out_of_range")
	}
	return grade(value), nil
}

// The one field that may be changed, validated; nil clears it.
func readGrade(fields map[string]json.RawMessage) (*grade, error) {
	for name := range fields {
		if name != "grade" {
			return nil, errors.New("unknown_field: " + name)
		}
	}
	text, ok := fields["grade"]
	if !ok || string(text) == "null" {
		return nil, nil
	}
	value, err := parseGrade(string(text))
	return &value, err
}

type subject struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Position int    `json:"position"`
	Title    string `json:"title"`
	Weight   int64  `json:"weight"`
	Grade    *grade `json:"grade"`
}

type unit struct {
	ID           string    `json:"id"`
	Kind         string    `json:"kind"`
	Position     int       `json:"position"`
	Title        string    `json:"title"`
	Code         int       `json:"code"`
	Weight       int64     `json:"weight"`
	Professional bool      `json:"professional"`
	Children     []subject `json:"children"`
}

type record struct {
	ID, Student string
	Version     int64
	Units       []unit
}

func sampleYear() []unit {
	type leaf struct {
		title  string
		weight int64
		grade  grade
	}
	const none = grade(-1)
	year := []struct {
		title        string
		weight       int64
		professional bool
		subjects     []leaf
	}{
		{"Génie logiciel", 6, false, []leaf{
			{"Processus de développement", 4, 1317}, {"Programmation Orientée Objet", 9, 1363},
			{"Qualité de développement", 5, 1240}, {"Remise à niveau objets", 4, 2000}}},
		{"Systèmes et réseaux", 6, false, []leaf{
			{"Internet des Objets", 4, none}, {"Réseaux", 4, 1450}, {"Services mobiles", 4, none},
			{"Système", 5, 1388}}},
		{"Insertion professionnelle", 6, false, []leaf{
			{"Anglais", 5, 1865}, {"Communication", 4, 1713}, {"Économie", 4, 950}, {"Gestion", 3, 950}}},
		{"Technologies mobiles 1", 9, false, []leaf{
			{"Android", 6, 400}, {"Architecture de projet C# .NET (1)", 5, 1450}, {"C++", 4, 1020},
			{"Swift", 5, 1493}}},
		{"Technologies mobiles 2", 9, false, []leaf{
			{"Architecture de projet C# .NET (2)", 4, 1217}, {"Client/Serveur", 4, none}, {"iOS", 5, none},
			{"Multiplateformes", 3, none}, {"Qt Quick", 5, none}, {"Xamarin", 5, none}}},
		{"Projet", 9, true, []leaf{{"Projet", 1, 1366}}},
		{"Stage", 15, true, []leaf{{"Stage", 1, none}}},
	}
	var units []unit
	for i, u := range year {
		made := unit{
			ID: newID(), Kind: "unit", Position: i + 1, Title: u.title, Code: i + 1, Weight: u.weight,
			Professional: u.professional,
		}
		for j, l := range u.subjects {
			s := subject{ID: newID(), Kind: "subject", Position: j + 1, Title: l.title, Weight: l.weight}
			if l.grade != none {
				value := l.grade
				s.Grade = &value
			}
			made.Children = append(made.Children, s)
		}
		units = append(units, made)
	}
	return units
}

func (g grade) String() string { return fmt.Sprintf("%d.%02d", g/100, g%100) }
